//go:build unix

package main

import "syscall"

// setPrivateUmask makes the tests create files that nobody else may write: KOTA uses
// no others, and some shells set another umask.
func setPrivateUmask() { syscall.Umask(0o022) }
