// Package followups finds conversations that wait for an answer of the user or of others.
//
// It first compares lists of ids, which is cheap, and reads only conversations that may
// wait. It omits and counts messages that ask nothing. If it cannot tell whether a
// message asks something, it assumes that the message does.
//
// Start reading at Find.
package followups
