// Package followups finds conversations that wait for an answer, the user's or
// somebody else's.
//
// It compares lists of ids, which cost little, and looks only at conversations
// that may wait. A message that asks nothing is left out and counted; where it is
// not known whether one asks something, it does.
//
// Start reading at Find.
package followups
