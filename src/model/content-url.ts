/** Where the admin interface at `publicUrl`, which ends in no slash, gives the file of a document. */
export function contentUrl(
  publicUrl: string,
  { account, id }: { readonly account: string; readonly id: string },
): string {
  return `${publicUrl}/api/v1/documents/${encodeURIComponent(account)}/${encodeURIComponent(id.toWellFormed())}/content`
}
