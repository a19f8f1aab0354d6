import { startKeys } from './keys.js'
import { startLive } from './live.js'
import { startSeen } from './seen.js'

startKeys()
startLive()
startSeen()

// A choice shows at once; the button is for those without a script.
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && target.matches('[data-submits]')) target.form?.requestSubmit()
})

// An empty field is no filter: the address stays short.
document.addEventListener('formdata', ({ formData, target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
  for (const [name, value] of Array.from(formData)) if (value === '') formData.delete(name)
})
