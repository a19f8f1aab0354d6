/** Where the Model Context Protocol is spoken. */
export const MCP_PATH = '/mcp'
