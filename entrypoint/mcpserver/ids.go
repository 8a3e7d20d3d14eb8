package mcpserver

import "strconv"

// idSurvives reports whether mcp-go keeps the id intact. mcp-go reads ids as float64 or string.
func idSurvives(id []byte) bool {
	if id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && n > -1<<53 && n < 1<<53
}

// quoteID returns the message with quotes around its id, which is at [start, end).
// Answers have the id as the client wrote it, so only mcp-go and its hooks see the quoted id.
func quoteID(message []byte, start, end int) []byte {
	quoted := make([]byte, 0, len(message)+2)
	quoted = append(quoted, message[:start]...)
	quoted = append(quoted, '"')
	quoted = append(quoted, message[start:end]...)
	quoted = append(quoted, '"')
	return append(quoted, message[end:]...)
}
