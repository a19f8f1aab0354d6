import { startKeys } from './keys.js'
import { startLive } from './live.js'
import { startSeen } from './seen.js'
import { startZones } from './zones.js'

startKeys()
showWhereOneIs()
startLive()
startSeen()
startZones()

// A choice shows at once; the button is for those without a script.
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && target.matches('[data-submits]')) target.form?.requestSubmit()
})

// An empty field is no filter: the address stays short. In a form that is sent whole (`data-whole`) it says something.
document.addEventListener('formdata', ({ formData, target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get' || 'whole' in target.dataset) return
  for (const [name, value] of Array.from(formData)) if (value === '') formData.delete(name)
})

/** On a phone the navigation and the tabs are longer than the screen: they begin where the page is that is shown. */
function showWhereOneIs() {
  for (const here of document.querySelectorAll('nav [aria-current="page"]')) {
    const line = here.closest('ul.tabs, .tabs, nav')
    if (line === null || line.scrollWidth <= line.clientWidth) continue
    const [box, place] = [line.getBoundingClientRect(), here.getBoundingClientRect()]
    line.scrollLeft += place.left + place.width / 2 - box.left - box.width / 2
  }
}
