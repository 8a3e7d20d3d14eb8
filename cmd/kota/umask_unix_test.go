//go:build unix

package main

import "syscall"

// privately lets the tests make files that nobody else may write: KOTA uses no
// others, and not everybody's shell does.
func privately() { syscall.Umask(0o022) }
