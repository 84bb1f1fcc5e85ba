import { describeKind } from "../../test/resources/kind-cases.ts";

const target = { group: "", kind: "Service", name: "web" };
const validation = { hostname: "example.com", wellKnownCACertificates: "System" };
const ca = { group: "", kind: "ConfigMap", name: "ca" };
const targeting = (...targetRefs: unknown[]) => ({ targetRefs, validation });
const validating = (more: object) => ({
  targetRefs: [target],
  validation: { hostname: "example.com", ...more },
});
const naming = (...subjectAltNames: unknown[]) => ({
  targetRefs: [target],
  validation: { ...validation, subjectAltNames },
});

for (const version of ["v1", "v1alpha3"]) {
  describeKind({
    kind: "BackendTLSPolicy",
    version,
    valid: {
      "the system's certificates": targeting(target),
      "certificates of one's own": validating({ caCertificateRefs: [ca] }),
      "well-known certificates of someone": validating({ wellKnownCACertificates: "example.com/roots" }),
      "two ports of a Service": targeting({ ...target, sectionName: "a" }, { ...target, sectionName: "b" }),
      "two Services": targeting(target, { ...target, name: "api" }),
      "alternative names": naming(
        { type: "Hostname", hostname: "*.example.com" },
        { type: "URI", uri: "spiffe://a/b" },
      ),
      options: { ...targeting(target), options: { "example.com/version": "1.3" } },
    },
    invalid: {
      "nothing at all": [{}, "targetRefs: is required", "validation: is required"],
      "one target with and without section": [
        targeting(target, { ...target, sectionName: "a" }),
        "targetRefs[1]: sectionName must be specified when targetRefs includes 2 or more references to the same target",
      ],
      "one target twice": [
        targeting(target, target),
        "targetRefs[1]: sectionName must be unique when targetRefs includes 2 or more references to the same target",
      ],
      "no certificates": [
        validating({ caCertificateRefs: [] }),
        "validation: must specify either CACertificateRefs or WellKnownCACertificates",
      ],
      "both kinds of certificates": [
        validating({ caCertificateRefs: [ca], wellKnownCACertificates: "System" }),
        "validation: must not contain both CACertificateRefs and WellKnownCACertificates",
      ],
      "a name of the wrong type": [
        naming({ type: "Hostname", uri: "spiffe://a/b" }, { type: "URI", hostname: "example.com" }),
        "validation.subjectAltNames[0]: SubjectAltName element must contain Hostname, if Type is set to Hostname",
        "validation.subjectAltNames[0]: SubjectAltName element must not contain URI, if Type is not set to URI",
        "validation.subjectAltNames[1]: SubjectAltName element must not contain Hostname, if Type is not set to Hostname",
        "validation.subjectAltNames[1]: SubjectAltName element must contain URI, if Type is set to URI",
      ],
      "too many options": [
        {
          ...targeting(target),
          options: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`o${i}`, ""])),
        },
        "options: must have at most 16 entries, but has 17",
      ],
    },
  });
}
