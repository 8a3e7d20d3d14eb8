package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A script that saves the output must notice that the disk is full.
func TestCommandsReportFailedWrite(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help"}, {"memory", "--help"}, {"doctor"}, {"bundles"}, {"version"}, {"completion", "bash"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		cmd := exec.Command("kota", args...)
		cmd.Env = append(os.Environ(), "KOTA_HOME="+t.TempDir(), "KOTA_CONFIG=", "KOTA_NOW="+testTime)
		var stderr strings.Builder
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run() // the status has the outcome
		full.Close()
		if status := cmd.ProcessState.ExitCode(); status != 1 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("kota %q ends with %d: %s", args, status, stderr.String())
		}
	}
}
