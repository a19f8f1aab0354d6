import { Option } from 'commander'

/** `-c FILE`, on every command that reads a configuration (contract section 1). */
export function configOption(): Option {
  return new Option('-c, --config <file>', 'the configuration').default('shipbell.yaml')
}
