-- Weighted round-robin, exact over time and evenly spread, for each thread: src/drivers/embedded/balance.ts has the words.
local balance = {}

-- `choices`: a list of things with a weight; the state is kept in the list itself.
function balance.next(choices)
  local count = #choices
  if count < 2 then return choices[1] end
  local best, sum
  sum = 0
  for index = 1, count do
    local choice = choices[index]
    local credit = (choice.credit or 0) + choice.weight
    choice.credit = credit
    sum = sum + choice.weight
    if not best or credit > best.credit then best = choice end
  end
  best.credit = best.credit - sum
  return best
end

-- Takes exactly `numerator` of every `denominator`.
function balance.takes(share)
  local credit = (share.credit or 0) + share.numerator
  local takes = credit >= share.denominator
  share.credit = takes and credit - share.denominator or credit
  return takes
end

return balance
