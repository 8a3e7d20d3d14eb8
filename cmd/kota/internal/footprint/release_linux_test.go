package footprint

import (
	"slices"
	"strings"
	"testing"
)

// Releasing a written page would lose it: no file holds its content.
func TestOnlyUnwrittenPagesAreReleased(t *testing.T) {
	head := func(what string) string {
		return what + "\nSize:                 64 kB\nRss:                  64 kB\nPrivate_Dirty:         0 kB\nAnonymous:             0 kB\nVmFlags: rd ex mr mw me\n"
	}
	smaps := head("00400000-00410000 r-xp 00000000 fe:00 123                        /opt/kota") +
		head("00410000-00420000 r--p 00010000 fe:00 123                        /opt/kota") +
		head("00420000-00430000 rw-p 00020000 fe:00 123                        /opt/kota") +
		strings.Replace(head("00430000-00440000 r--p 00030000 fe:00 123                        /opt/kota"), "Anonymous:             0", "Anonymous:             4", 1) +
		head("7f0000000000-7f0000010000 r-xp 00000000 fe:00 9                  /usr/lib/libc.so.6") +
		head("7f0000010000-7f0000020000 r--p 00000000 00:00 0 ") +
		head("7ffc00000000-7ffc00010000 r-xp 00000000 00:00 0                  [vdso]") +
		head("00450000-00460000 r-xp 00000000 fe:00 123                        /opt/kota (deleted)")
	want := []mapping{{0x400000, 0x10000}, {0x410000, 0x10000}}
	if got := unwrittenMappings([]byte(smaps), "/opt/kota"); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
	if got := unwrittenMappings(nil, "/opt/kota"); got != nil {
		t.Errorf("of nothing: %x", got)
	}
}
