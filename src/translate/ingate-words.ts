/** InGate's controllerName. Classes of it are served under `--controller-name`, and their users are told what InGate would have said. */
const ingate = "k8s.io/ingate";

const ours = { class: "Gatewright serves Gateways of this class", gateway: "The Gateway is accepted" };
const ingates = {
  class: "Gateway Class has been accepted by the InGate Controller.",
  gateway: "Gateway has been accepted by the InGate Controller.",
};

export function acceptedMessage(of: "class" | "gateway", controllerName: string): string {
  return (controllerName === ingate ? ingates : ours)[of];
}
