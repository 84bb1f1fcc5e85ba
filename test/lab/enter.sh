# The first process of a lab. Everything it makes (network, mounts, processes) is gone when it ends, however it ends:
# the kernel ends all processes of a PID namespace with its first one, and namespaces with their last process.
#
#   enter.sh FOLDER COMMAND...     FOLDER: an empty one; the lab's state is in memory, mounted on it
set -e
folder=$1
shift

mkdir -p /run/netns
mount -t tmpfs -o mode=755 gatewright-lab /run/netns
mount -t tmpfs -o mode=755 gatewright-lab "$folder"

ip link set lo up
# A bridge without ports takes the default route: nothing leaves the lab. (Not every kernel has dummy devices.)
ip link add lab0 type bridge
ip link set lab0 up
ip address add 10.0.0.10/24 dev lab0
ip route add default dev lab0 src 10.0.0.10
ip route add unreachable 10.244.0.0/16
if [ -e /proc/net/if_inet6 ]; then
  ip address add fd00:10::10/64 dev lab0 nodad
  ip -6 route add default dev lab0
  ip -6 route add unreachable fd00:10:244::/64
  echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
fi
echo 1 >/proc/sys/net/ipv4/ip_forward
for setting in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 0 >"$setting"; done

# Names of the cluster are known in here, and no others.
printf 'nameserver 10.0.0.10\nsearch default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5 timeout:1\n' >"$folder/resolv.conf"
mount --bind "$folder/resolv.conf" "$(realpath /etc/resolv.conf)"

ulimit -n "$(ulimit -Hn)"
export GATEWRIGHT_LAB="$folder"
# Not exec: a shell takes in the processes that lost their parent, the command might not.
"$@"
exit $?
