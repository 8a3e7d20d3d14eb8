package bundles_test

import (
	"os/exec"
	"testing"

	"kota/bundles"
)

// A pasted command must not run another command.
func TestShellWordSurvivesTheShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	for _, text := range []string{"", "plain", "bank pin", "it's", "$HOME", "a;b", "`id`", "$(id)", "~", "a\nb", `a\b"c`, "*", "ünï"} {
		got, err := exec.Command(sh, "-c", "printf %s "+bundles.ShellWord(text)).Output()
		if err != nil || string(got) != text {
			t.Errorf("%q becomes %q, %v", text, got, err)
		}
	}
}
