import { choice } from './value.ts'

export const incoterm = choice<
  'exw' | 'fca' | 'fas' | 'fob' | 'cpt' | 'cfr' | 'cif' | 'cip' | 'dap' | 'ddp' | 'dpu' | 'dat'
>()

export const freightMode = choice<'air' | 'ocean' | 'rail' | 'truck'>()
