export interface AdminAddress {
  readonly address: string;
  readonly port: number;
}

export const defaultAdminAddress: AdminAddress = { address: "127.0.0.1", port: 19_000 };
