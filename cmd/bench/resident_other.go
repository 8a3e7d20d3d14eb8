//go:build !unix

package main

import "os"

// mostResident does not know here.
func mostResident(*os.ProcessState) (mb float64, known bool) { return 0, false }
