/**
 * A page as a document of its own. The browser parses the answer itself: no text ever becomes markup here, so that Trusted
 * Types have nothing to trust, and no script in it runs. Rejects where the page cannot be had.
 *
 * @param {string} address
 * @returns {Promise<Document>}
 */
export function readPage(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', address)
    request.responseType = 'document'
    request.setRequestHeader('Accept', 'text/html')
    request.timeout = 15_000
    request.addEventListener('load', () => {
      const { responseURL, responseXML, status } = request
      // Who is signed out is sent to another page: that is not this one.
      const isThis = new URL(responseURL).pathname === new URL(address, location.href).pathname
      // A page that says what is wrong with a filter (422) is one, too.
      if ((status === 200 || status === 422) && isThis && responseXML !== null) resolve(responseXML)
      else reject(new Error(`The page answered ${status}.`))
    })
    for (const failure of ['error', 'timeout', 'abort']) {
      request.addEventListener(failure, () => reject(new Error('The page cannot be reached.')))
    }
    request.send()
  })
}
