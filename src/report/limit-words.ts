import type { KeptLimit, OwnLimit } from '../model/own-limit.ts'

const NAMES: Readonly<Record<OwnLimit, string>> = {
  descriptors: 'file descriptors (nofile)',
  ports: 'local ports or addresses',
  memory: 'memory for connections',
}

const REMEDIES: Readonly<Record<OwnLimit, string>> = {
  descriptors:
    'Raise the limit (`LimitNOFILE=` of systemd, `ulimit -n`, `--ulimit nofile` of a container) and restart.',
  ports: 'Widen `net.ipv4.ip_local_port_range` of this machine, or look whether it has the addresses that are dialled.',
  memory: 'Give this machine more memory, or look what else takes it.',
}

/** What of our own holds up sending, and what to do. */
export function limitWords({ host, limit, most, pid }: KeptLimit): { readonly what: string; readonly remedy: string } {
  const amount = most === null ? '' : `, ${most},`
  const whose = `of process ${pid} on ${host}`
  return {
    what: `Sending is held up by a limit of our own: ${NAMES[limit]}${amount} ${whose}. No endpoint is charged for it.`,
    remedy: REMEDIES[limit],
  }
}
