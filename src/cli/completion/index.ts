export { renderBashCompletion } from "./bash.ts";
export { renderFishCompletion } from "./fish.ts";
export { renderZshCompletion } from "./zsh.ts";
