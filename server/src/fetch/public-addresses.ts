import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * IPv4 addresses that do not lead to the public internet: what IANA's registry of special purposes lists, multicast, the
 * reserved rest, and the address at which a large cloud answers every virtual machine.
 */
const insideIPv4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

/** The only IPv6 addresses in public use. Mapped and translated IPv4 addresses, link-local and unique-local ones lie outside of it. */
const globalIPv6 = blockList('ipv6', ['2000::/3']);

/** In the range above: protocols such as Teredo, documentation, and 6to4, which contains an IPv4 address. */
const insideIPv6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an IP address leads out of this machine and of its network. False for any other text. */
export function isPublic(address: string): boolean {
  if (isOwn(address)) return false;
  switch (isIP(address)) {
    case 4:
      return !insideIPv4.check(address, 'ipv4');
    case 6:
      return globalIPv6.check(address, 'ipv6') && !insideIPv6.check(address, 'ipv6');
    default:
      return false;
  }
}

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network, bits] = subnet.split('/');
    list.addSubnet(network!, Number(bits), family);
  }
  return list;
}
