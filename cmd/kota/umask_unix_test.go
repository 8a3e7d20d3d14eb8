//go:build unix

package main

import "syscall"

// privately makes the tests create files that nobody else may write: KOTA uses
// no others, and some shells set another umask.
func privately() { syscall.Umask(0o022) }
