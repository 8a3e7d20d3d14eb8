// Package vacation shows and changes the automatic reply.
//
// A reply that is switched on, or says something else, is asked about first. An
// undo never switches it on and never makes it answer more people.
//
// Start reading at Manage.
package vacation
