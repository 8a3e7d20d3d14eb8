// Package doctor checks what KOTA needs: the configuration, files and their modes,
// the database, accounts, clients' entries, Google, the clock and the HTTP server.
// It repairs nothing, and says what the user should do about a problem. Begin with
// Examine.
package doctor

// Finding is the result of one check.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Note   bool   `json:"note,omitempty"`   // nothing is broken, but something does not work yet
	Saw    string `json:"saw"`              // what the check found
	Remedy string `json:"remedy,omitempty"` // what the user should do; "" for nothing
}
