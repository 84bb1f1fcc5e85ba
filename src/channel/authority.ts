/*
 * The channel's own authority. It signs three kinds of certificates, each good for one thing only: the server's (server authentication,
 * the one name that clients look for), the proxies' (client authentication, the name of their Gateway) and those of controllers
 * that report to the leading one (client authentication, their own name). They last a day; whoever holds one gets the next at half-time.
 *
 * An authority that was followed by another is believed for as long as the last that it signed may last, and no longer: its key may have
 * been the reason.
 */
import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import {
  alternativeNames,
  authorityConstraint,
  authorityKeyIdentifier,
  commonName,
  exportKey,
  extendedKeyUsage,
  keyUsage,
  makeCertificate,
  makeKeys,
  noAuthority,
  subjectKeyIdentifier,
  subjectOf,
} from "../certificates/certificate.ts";
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
  const { publicKey, privateKey } = await makeKeys();
  const name = commonName(`gatewright channel ${randomBytes(4).toString("hex")}`);
  const notBefore = new Date(Date.now() - slack);
  const certificate = makeCertificate({
    subject: name,
    publicKey,
    issuer: name,
    signingKey: privateKey,
    notBefore,
    notAfter: new Date(notBefore.getTime() + lifetime),
    extensions: [authorityConstraint(0), keyUsage("keyCertSign", "cRLSign"), subjectKeyIdentifier(publicKey)],
  });
  const keeping = {
    certificate,
    key: exportKey({ privateKey }),
    previous: before ? (await openAuthority(before, leaves)).authorities : "",
  };
  return openAuthority(keeping, leaves);
}

/** The authority that was kept. Rejects if what was kept is broken. */
export async function openAuthority(
  keeping: AuthorityKeeping,
  { leafLifetime = day }: { readonly leafLifetime?: number } = {},
): Promise<ChannelAuthority> {
  const authority = new X509Certificate(keeping.certificate);
  const subject = subjectOf(authority);
  const lastDay = new Date(authority.validTo);
  const signingKey = createPrivateKey(keeping.key);
  const previous = splitPem(keeping.previous).map((pem) => ({ pem, own: new X509Certificate(pem) }));
  const followers = [authority, ...previous.map(({ own }) => own)];
  /** Those before, each with the time when the last that it signed before it was followed has ended. */
  const ending = previous.map(({ pem }, index) => ({
    pem,
    until: Date.parse(followers[index]!.validFrom) + slack + leafLifetime + slack,
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
    const { publicKey, privateKey } = await makeKeys();
    const notBefore = new Date(Date.now() - Math.min(slack, leafLifetime));
    const notAfter = new Date(Math.min(Date.now() + leafLifetime, lastDay.getTime()));
    const certificate = makeCertificate({
      subject: commonName(`gatewright ${use}`),
      publicKey,
      issuer: subject,
      signingKey,
      notBefore,
      notAfter,
      extensions: [
        noAuthority(),
        keyUsage("digitalSignature"),
        extendedKeyUsage(use === "server" ? "serverAuth" : "clientAuth"),
        alternativeNames(use === "server" ? { names: [name] } : { uris: [name] }),
        authorityKeyIdentifier(authority.publicKey),
      ],
    });
    return { certificate, key: exportKey({ privateKey }), ...believed(), notBefore, notAfter };
  };

  return {
    keeping,
    get authorities() {
      return believed().authorities;
    },
    get renewBy() {
      return believed().renewBy;
    },
    notAfter: lastDay,
    issueServer: () => issue("server", channelServerName),
    issueProxy: async (gateway) => issue("proxy", identityUri(gateway)),
    issueController: async (name) => issue("controller", controllerUri(name)),
  };
}

function splitPem(text: string): readonly string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => `${block}\n`);
}
