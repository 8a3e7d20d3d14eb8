package footprint

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// releaseStart releases the pages of the program's own file a second after the
// start. Nearly all of them are needed only for the start. The kernel maps a
// page again from its cache when it is needed, within microseconds.
//
// This halves the memory of an idle server from 27 MB to 14 MB
// (docs/project/benchmarks.md).
func releaseStart() {
	const delay = time.Second
	time.AfterFunc(delay, func() {
		smaps, err := os.ReadFile("/proc/self/smaps")
		exe, linkErr := os.Readlink("/proc/self/exe")
		if err != nil || linkErr != nil {
			return
		}
		for _, m := range unwrittenMappings(smaps, exe) {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.start, m.length, unix.MADV_DONTNEED) // a failure changes nothing
		}
	})
}

// mapping is a range of the address space.
type mapping struct{ start, length uintptr }

// unwrittenMappings returns the mappings of file without write permission and
// without a written page. Their content is still that of the file. smaps is the
// text of /proc/PID/smaps (proc_pid_smaps(5)).
func unwrittenMappings(smaps []byte, file string) (all []mapping) {
	var current *mapping
	for line := range bytes.Lines(smaps) {
		fields := bytes.Fields(line)
		from, to, isHead := bytes.Cut(fields[0], []byte("-"))
		switch {
		case isHead:
			current = nil
			start, err := strconv.ParseUint(string(from), 16, 64)
			end, endErr := strconv.ParseUint(string(to), 16, 64)
			if err == nil && endErr == nil && len(fields) == 6 && string(fields[5]) == file && fields[1][1] == '-' {
				current = &mapping{uintptr(start), uintptr(end - start)}
			}
		case current == nil:
		case string(fields[0]) == "Anonymous:":
			if string(fields[1]) == "0" {
				all = append(all, *current)
			}
			current = nil
		}
	}
	return all
}
