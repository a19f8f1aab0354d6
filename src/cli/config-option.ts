import { Option } from 'commander'

/** `-c FILE`, on every command that reads a configuration (guarantee C5). */
export function configOption(): Option {
  return new Option('-c, --config <file>', 'the configuration').default('shipbell.yaml')
}
