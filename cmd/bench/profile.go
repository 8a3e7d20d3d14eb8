package main

import (
	"os"
	"runtime/pprof"
)

// startProfile shows where time goes in what runs inside this process: all
// measurements but start, calls, tokens and retrieval.
func startProfile(file string) (stop func(), err error) {
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		out.Close()
	}, nil
}
