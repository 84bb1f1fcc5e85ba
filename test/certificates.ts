export {
  makeCa,
  makeCertificate,
  type AuthorityOptions,
  type CertificateOptions,
  type MadeAuthority,
  type MadeCertificate,
  type Validity,
} from "../src/driver-kit/certificates.ts";
