/** The gates of what is tried out. All of them are off unless somebody turns them on. */
export const gates = {
  /** Gateway `spec.mesh`. */
  gateway: "GatewayExtraMinimalOCG",
  /** XMesh `spec.ocg`, and being a mesh at all. */
  mesh: "MeshExtraMinimalOCG",
} as const;

export type Gate = (typeof gates)[keyof typeof gates];
export const gateNames: readonly Gate[] = Object.values(gates);
