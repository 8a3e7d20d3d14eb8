// Package vacation shows and changes the automatic reply.
//
// KOTA asks before it switches the reply on or changes its text, its times or its
// recipients. An undo never switches the reply on and never makes it answer more people.
//
// Start reading at Manage.
package vacation
