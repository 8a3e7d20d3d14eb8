package icalendar

// windowsZone returns the zone for a Windows name, as Outlook and Exchange
// write it, or "". It knows only some of the zones in CLDR's list windowsZones:
// those with the most people.
func windowsZone(name string) string {
	switch name {
	case "GMT Standard Time":
		return "Europe/London"
	case "Greenwich Standard Time":
		return "Atlantic/Reykjavik"
	case "W. Europe Standard Time":
		return "Europe/Berlin"
	case "Romance Standard Time":
		return "Europe/Paris"
	case "Central Europe Standard Time":
		return "Europe/Budapest"
	case "Central European Standard Time":
		return "Europe/Warsaw"
	case "E. Europe Standard Time":
		return "Europe/Chisinau"
	case "GTB Standard Time":
		return "Europe/Bucharest"
	case "FLE Standard Time":
		return "Europe/Kiev"
	case "Turkey Standard Time":
		return "Europe/Istanbul"
	case "Russian Standard Time":
		return "Europe/Moscow"
	case "Israel Standard Time":
		return "Asia/Jerusalem"
	case "Egypt Standard Time":
		return "Africa/Cairo"
	case "South Africa Standard Time":
		return "Africa/Johannesburg"
	case "W. Central Africa Standard Time":
		return "Africa/Lagos"
	case "E. Africa Standard Time":
		return "Africa/Nairobi"
	case "Morocco Standard Time":
		return "Africa/Casablanca"
	case "Arab Standard Time":
		return "Asia/Riyadh"
	case "Arabian Standard Time":
		return "Asia/Dubai"
	case "Iran Standard Time":
		return "Asia/Tehran"
	case "Pakistan Standard Time":
		return "Asia/Karachi"
	case "India Standard Time":
		return "Asia/Kolkata"
	case "Nepal Standard Time":
		return "Asia/Kathmandu"
	case "Bangladesh Standard Time":
		return "Asia/Dhaka"
	case "SE Asia Standard Time":
		return "Asia/Bangkok"
	case "Singapore Standard Time":
		return "Asia/Singapore"
	case "China Standard Time":
		return "Asia/Shanghai"
	case "Taipei Standard Time":
		return "Asia/Taipei"
	case "Korea Standard Time":
		return "Asia/Seoul"
	case "Tokyo Standard Time":
		return "Asia/Tokyo"
	case "W. Australia Standard Time":
		return "Australia/Perth"
	case "AUS Central Standard Time":
		return "Australia/Darwin"
	case "Cen. Australia Standard Time":
		return "Australia/Adelaide"
	case "E. Australia Standard Time":
		return "Australia/Brisbane"
	case "AUS Eastern Standard Time":
		return "Australia/Sydney"
	case "New Zealand Standard Time":
		return "Pacific/Auckland"
	case "Hawaiian Standard Time":
		return "Pacific/Honolulu"
	case "Alaskan Standard Time":
		return "America/Anchorage"
	case "Pacific Standard Time":
		return "America/Los_Angeles"
	case "US Mountain Standard Time":
		return "America/Phoenix"
	case "Mountain Standard Time":
		return "America/Denver"
	case "Central Standard Time":
		return "America/Chicago"
	case "Central Standard Time (Mexico)":
		return "America/Mexico_City"
	case "Eastern Standard Time":
		return "America/New_York"
	case "Atlantic Standard Time":
		return "America/Halifax"
	case "Newfoundland Standard Time":
		return "America/St_Johns"
	case "SA Pacific Standard Time":
		return "America/Bogota"
	case "Venezuela Standard Time":
		return "America/Caracas"
	case "SA Western Standard Time":
		return "America/La_Paz"
	case "Pacific SA Standard Time":
		return "America/Santiago"
	case "E. South America Standard Time":
		return "America/Sao_Paulo"
	case "Argentina Standard Time":
		return "America/Buenos_Aires"
	case "UTC", "Coordinated Universal Time":
		return "UTC"
	}
	return ""
}
