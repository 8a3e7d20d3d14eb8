//go:build linux || netbsd || openbsd || freebsd || dragonfly

package auth

import "github.com/godbus/dbus/v5"

// checkKeyring returns an error if there is no session bus, through which programs reach the
// keyring. Otherwise the keyring's package would start a bus, which has no keyring.
func checkKeyring() error {
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return err
	}
	return bus.Close()
}
