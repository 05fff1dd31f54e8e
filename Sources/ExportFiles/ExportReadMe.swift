/// What the archive says about itself.
enum ExportReadMe {
    static let text = """
        What Kith stores about you.

        account.json    your account, how much you used it on the day counted last, devices
                        and groups, what each group sees of you, your friends, whom you have
                        blocked, alerts about you, alerts that you have acknowledged, and what
                        you wrote in the chats of your groups
        fixes.json      every position that your devices sent, by device, in the order of time
        fixes.geojson   the same for maps (GeoJSON, RFC 7946)
        fixes.gpx       the same for navigation programs (GPX 1.1): a track for each device, with
                        a segment for each time without a gap
        paths.geojson   the ways of your journeys and calls for help
        paths.gpx       the same

        Times are in UTC. Places are WGS 84: degrees, and metres above the ellipsoid. Passwords
        and tokens are not here: they are not stored, only a check of them is.

        """
}
