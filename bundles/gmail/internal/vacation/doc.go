// Package vacation shows and changes the automatic reply.
//
// KOTA asks the user before it turns the reply on or changes its text, its times or its
// recipients. An undo never turns the reply on and never makes it answer more people.
//
// Start reading at Manage.
package vacation
