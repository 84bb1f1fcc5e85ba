import { describe, expect, it } from "vitest";
import { admitsAddress, judgeEndpointName } from "./endpoint-addresses.ts";

const cluster = { allowLoopbackEndpoints: false };
const machine = { allowLoopbackEndpoints: true };

describe("admitsAddress", () => {
  it.each([
    "10.0.0.1",
    "192.168.1.1",
    "8.8.8.8",
    "100.64.0.1",
    "2001:db8::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
  ])("takes %s", (address) => {
    expect(admitsAddress(address, cluster)).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "::1",
    "0:0:0:0:0:0:0:1",
    "fe80::1",
    "febf::1",
    "FE80::1",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:c1::a9fe:a9fe",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
  ])("refuses %s on a cluster, not on one machine", (address) => {
    expect(admitsAddress(address, cluster)).toBe(false);
    expect(admitsAddress(address, machine)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "ff02::1",
    "::ffff:0.0.0.0",
    "",
    "localhost",
    "10.0.0",
    "1.2.3.4:80",
    "fe80::1%eth0",
    "10.0.0.01",
    "0x7f.0.0.1",
  ])("never takes %j", (address) => {
    expect(admitsAddress(address, machine)).toBe(false);
  });
});

describe("judgeEndpointName", () => {
  it.each([
    "api.example.com",
    "a.b",
    "svc.example.com",
    "cluster.local.example.com",
    "localhost.example.com",
  ])("takes %s", (name) => {
    expect(judgeEndpointName(name, cluster)).toBeUndefined();
  });

  it.each([
    "localhost",
    "LOCALHOST.",
    "x.localhost",
    "metadata.google.internal",
    "web",
    "web.other.svc",
    "web.other.svc.cluster.local",
    "2130706433",
    "0x7f.1",
    "127.1",
  ])("refuses %s on a cluster, not on one machine", (name) => {
    expect(judgeEndpointName(name, cluster)).toBeDefined();
    expect(judgeEndpointName(name, machine)).toBeUndefined();
  });

  it.each(["127.0.0.1", "::1", "10.0.0.1"])("never takes the IP address %s for a name", (name) => {
    expect(judgeEndpointName(name, machine)).toBeDefined();
  });
});
