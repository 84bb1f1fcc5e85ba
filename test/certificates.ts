export {
  makeCa,
  makeCertificate,
  type AuthorityOptions,
  type CertificateOptions,
  type MadeAuthority,
  type MadeCertificate,
  type Validity,
} from "../src/driver-kit/certificates.ts";
/** For what those two do not make. */
export { commonName, makeCertificate as signCertificate } from "../src/certificates/certificate.ts";
