import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";

type Served = {
  /** The site's name, and its version. */
  name: string;
  version: string;
  tools: readonly Tool[];
  /** Makes the call of a tool; undefined when a part of its path is missing. */
  run: (tool: string, sent: Record<string, unknown>) => Promise<Response | undefined>;
};

/**
 * Answers one message of an agent. No session is kept: each message brings its token. Source: Model
 * Context Protocol, Streamable HTTP.
 */
export async function answerMessage(
  request: Request,
  message: unknown,
  { name, version, tools, run }: Served,
): Promise<Response> {
  const server = new Server({ name, version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find((one) => one.name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
    const answer = await run(tool.name, params.arguments ?? {});
    if (!answer) throw new McpError(ErrorCode.InvalidParams, "A part of the path is missing");
    const text = (await answer.text()) || "Done";
    return { content: [{ type: "text", text }], isError: !answer.ok };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}
