import type { Tool } from './tool.ts'
import { findShipments } from './tools/find-shipments.ts'
import { getStatus } from './tools/get-status.ts'
import { subscribe } from './tools/subscribe.ts'
import { unsubscribe } from './tools/unsubscribe.ts'

/** Every tool, in the order in which assistants are shown them. */
export const TOOLS: readonly Tool[] = [findShipments, getStatus, subscribe, unsubscribe]
