package server

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// isOtherUser reports whether a program of another user of this machine sent the request. Root may
// do everything anyway, so root is no other user. If the system does not say who sent it, the
// result is false.
func isOtherUser(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || os.Getuid() == 0 {
		return false
	}
	here, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return false
	}
	there, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	for _, table := range []struct {
		file string
		bits int
	}{{"/proc/net/tcp", 32}, {"/proc/net/tcp6", 128}} {
		if uid, ok := socketOwner(table.file, inTable(there, table.bits), inTable(here, table.bits)); ok {
			return uid != 0 && uid != os.Getuid()
		}
	}
	return false
}

// inTable returns an address as the tables of the system write it: each group of four bytes in
// the order of this machine, which is little-endian, and the port.
func inTable(a netip.AddrPort, bits int) string {
	address := a.Addr().Unmap().AsSlice()
	if bits == 128 {
		sixteen := a.Addr().As16()
		address = sixteen[:]
	}
	text := ""
	for i := 0; i+3 < len(address); i += 4 {
		text += fmt.Sprintf("%02X%02X%02X%02X", address[i+3], address[i+2], address[i+1], address[i])
	}
	return text + fmt.Sprintf(":%04X", a.Port())
}

// socketOwner returns the user of the socket from one address to another.
func socketOwner(table, from, to string) (uid int, ok bool) {
	file, err := os.Open(table)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if column := strings.Fields(lines.Text()); len(column) > 7 && column[1] == from && column[2] == to {
			uid, err := strconv.Atoi(column[7])
			return uid, err == nil
		}
	}
	return 0, false
}
