/*
 * Hostnames become names of files and entries of maps, so a driver in another process looks at them once more. The translation lets no
 * others through.
 */
const form = /^(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_-])?|\[[0-9a-f:.]+\])$/;
const longest = 253;

/** What is wrong with the hostname of a virtual host or server name. */
export function hostnameProblem(hostname: string): string | undefined {
  const isHostname = hostname.length <= longest && form.test(hostname) && !hostname.includes("..");
  return isHostname ? undefined : `${JSON.stringify(hostname.slice(0, 100))} is no hostname`;
}
