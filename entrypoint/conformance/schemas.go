//go:build conformance

package conformance

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addSchemas adds the tools whose schemas the suite checks. One uses many keywords of JSON
// Schema 2020-12. The other has an argument that clients repeat in a header (SEP-2243).
func addSchemas(s *server.MCPServer) {
	done := server.ToolHandlerFunc(constantAction(mcp.NewTextContent("It is done.")))
	s.AddTool(mcp.NewToolWithRawSchema("json_schema_2020_12_tool", "Takes what a wide schema admits.", wideSchema), done)
	s.AddTool(mcp.NewToolWithRawSchema("test_mirrored_argument", "Takes an argument that is said in a header too.", mirroredSchema), done)
}

var wideSchema = json.RawMessage(`{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`)

var mirroredSchema = json.RawMessage(`{
	"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "additionalProperties": false
}`)
