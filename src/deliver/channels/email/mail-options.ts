import type { SendMailOptions } from 'nodemailer'
import type { EmailChannel } from '../../../model/subscription.ts'
import type { Mail } from './mail-of.ts'

/** A mail as nodemailer takes it: who it is from and to comes from the configuration alone. */
export function mailOptions(mail: Mail, { from, to }: EmailChannel, now: number): SendMailOptions {
  return {
    ...mail,
    from: { name: 'Shipbell', address: from },
    to: to.map((address) => ({ name: '', address })),
    date: new Date(now),
    // No out-of-office notes, please (RFC 3834, and Exchange's own).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
