/*
 * The channel's own authority. It signs three kinds of certificates, each good for one thing only: the server's (server authentication,
 * the one name that clients look for), the proxies' (client authentication, the name of their Gateway) and those of controllers
 * that report to the leading one (client authentication, their own name). They last a day; whoever holds one gets the next at half-time.
 *
 * An authority that was followed by another is believed for as long as the last that it signed may last, and no longer: its key may have
 * been the reason.
 */
import { webcrypto } from "node:crypto";
import { controllerUri, identityUri } from "./identity.ts";
import { channelServerName } from "./server-name.ts";

/** What has to be kept to go on after a restart. All PEM. */
export interface AuthorityKeeping {
  readonly certificate: string;
  readonly key: string;
  /** Certificates of authorities before this one, newest first, whose certificates may still be good. */
  readonly previous: string;
}

/** All PEM. */
export interface ChannelCertificate {
  readonly certificate: string;
  readonly key: string;
  /** Those whose certificates are to be believed. */
  readonly authorities: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** One of the authorities is not to be believed after this. */
  readonly renewBy?: Date | undefined;
}

export interface ChannelAuthority {
  readonly keeping: AuthorityKeeping;
  /** Those whose certificates are to be believed now. */
  readonly authorities: string;
  /** When the next of them is not to be believed any more. */
  readonly renewBy: Date | undefined;
  readonly notAfter: Date;
  /** For the channel itself. */
  issueServer(): Promise<ChannelCertificate>;
  /** For the proxies of a Gateway, `<namespace>/<name>`. */
  issueProxy(gateway: string): Promise<ChannelCertificate>;
  /** For a replica of the controller that reports to the one that leads. */
  issueController(name: string): Promise<ChannelCertificate>;
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** Clocks differ. */
const slack = 10 * minute;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** A new authority. With `before`, what that one signed stays good until it expires. */
export async function makeAuthority(
  options: {
    readonly before?: AuthorityKeeping;
    readonly lifetime?: number;
    readonly leafLifetime?: number;
  } = {},
): Promise<ChannelAuthority> {
  const { before, lifetime = 3650 * day, leafLifetime } = options;
  const leaves = leafLifetime === undefined ? {} : { leafLifetime };
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const name = `gatewright channel ${serialNumber().slice(0, 8)}`;
  const notBefore = new Date(Date.now() - slack);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject: [{ CN: [name] }],
      issuer: [{ CN: [name] }],
      notBefore,
      notAfter: new Date(notBefore.getTime() + lifetime),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey as never,
      signingKey: keys.privateKey as never,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as never),
      ],
    },
    webcrypto as never,
  );
  const keeping = {
    certificate: pem(certificate),
    key: await exportKey(keys.privateKey),
    previous: before ? (await openAuthority(before, leaves)).authorities : "",
  };
  return openAuthority(keeping, leaves);
}

/** The authority that was kept. Rejects if what was kept is broken. */
export async function openAuthority(
  keeping: AuthorityKeeping,
  { leafLifetime = day }: { readonly leafLifetime?: number } = {},
): Promise<ChannelAuthority> {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(keeping.certificate);
  const der = Buffer.from(keeping.key.replace(/-----[^-]+-----|\s/g, ""), "base64");
  const signingKey = await webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const previous = splitPem(keeping.previous).map((pem) => ({ pem, own: new x509.X509Certificate(pem) }));
  const followers = [authority, ...previous.map(({ own }) => own)];
  /** Those before, each with the time when the last that it signed before it was followed has ended. */
  const ending = previous.map(({ pem }, index) => ({
    pem,
    until: followers[index]!.notBefore.getTime() + slack + leafLifetime + slack,
  }));
  const believed = () => {
    const now = Date.now();
    const stillGood = ending.filter(({ until }) => until > now);
    return {
      authorities: keeping.certificate + stillGood.map(({ pem }) => pem).join(""),
      renewBy: stillGood.length > 0 ? new Date(Math.min(...stillGood.map(({ until }) => until))) : undefined,
    };
  };

  const issue = async (use: "server" | "proxy" | "controller", name: string): Promise<ChannelCertificate> => {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const notBefore = new Date(Date.now() - Math.min(slack, leafLifetime));
    const notAfter = new Date(Math.min(Date.now() + leafLifetime, authority.notAfter.getTime()));
    const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
    const certificate = await x509.X509CertificateGenerator.create(
      {
        serialNumber: serialNumber(),
        subject: [{ CN: [`gatewright ${use}`] }],
        issuer: authority.subjectName.toJSON(),
        notBefore,
        notAfter,
        signingAlgorithm: algorithm,
        publicKey: keys.publicKey as never,
        signingKey: signingKey as never,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([use === "server" ? serverAuth : clientAuth]),
          new x509.SubjectAlternativeNameExtension([{ type: use === "server" ? "dns" : "url", value: name }]),
          await x509.AuthorityKeyIdentifierExtension.create(authority, false, webcrypto as never),
        ],
      },
      webcrypto as never,
    );
    return {
      certificate: pem(certificate),
      key: await exportKey(keys.privateKey),
      ...believed(),
      notBefore,
      notAfter,
    };
  };

  return {
    keeping,
    get authorities() {
      return believed().authorities;
    },
    get renewBy() {
      return believed().renewBy;
    },
    notAfter: authority.notAfter,
    issueServer: () => issue("server", channelServerName),
    issueProxy: async (gateway) => issue("proxy", identityUri(gateway)),
    issueController: async (name) => issue("controller", controllerUri(name)),
  };
}

async function loadX509() {
  // Loaded only here: it is large, and few need it.
  await import("../certificates/decorator-metadata.ts");
  return import("@peculiar/x509");
}

const pem = (certificate: { toString(format: "pem"): string }) => `${certificate.toString("pem").trim()}\n`;

function splitPem(text: string): readonly string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => `${block}\n`);
}

/** RFC 5280: positive, at most 20 bytes. */
function serialNumber(): string {
  const bytes = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)));
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString("hex");
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key)).toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{1,64}/g, "$&\n")}-----END PRIVATE KEY-----\n`;
}
