internal import Contract
internal import JSON
internal import Tracking

extension ExportArchive {
    /// `[{device,fixes:[Fix]}]`
    func writeFixesJSON() async throws {
        var devices = List()
        for device in source.devices {
            try await put("\(devices.separator()){\"device\":\"\(device)\",\"fixes\":")
            var list = List()
            try await eachFix(of: device) { fix in
                var json = JSONWriter()
                json.fix(fix)
                return Array(list.separator().utf8) + json.bytes
            }
            try await put(list.end + "}")
        }
        try await put(devices.end + "\n")
    }

    /// A FeatureCollection (RFC 7946) with a Point for each fix.
    func writeFixesGeoJSON() async throws {
        try await put("{\"type\":\"FeatureCollection\",\"features\":")
        var list = List()
        for device in source.devices {
            try await eachFix(of: device) { fix in
                Array(list.separator().utf8) + fix.feature(from: device)
            }
        }
        try await put(list.end + "}\n")
    }

    /// One track per device.
    func writeFixesGPX() async throws {
        var gpx = GPXWriter()
        gpx.begin()
        for device in source.devices {
            gpx.beginTrack("\(source.displayName), \(device)")
            try await eachFix(of: device) { fix in
                gpx.point(fix.coordinate, fix.takenAt, altitude: fix.altitude)
                return gpx.takeBytes()
            }
            gpx.endTrack()
        }
        gpx.end()
        try await put(gpx.takeBytes())
    }

    /// Writes each of the device's fixes in the order in which they were taken.
    private func eachFix(of device: Name, _ text: (Fix) -> [UInt8]) async throws {
        var history = FixHistory(try await source.history(of: device))
        while let fixes = try await history.next({
            try await source.fixes(at: $0, of: device)
        }) {
            for part in stride(from: 0, to: fixes.count, by: fixesAtATime) {
                let end = min(part + fixesAtATime, fixes.count)
                try await put(fixes[part..<end].flatMap(text))
            }
        }
    }
}

/// The number of fixes written before the text is passed on.
private let fixesAtATime = 500

extension Fix {
    /// A GeoJSON Feature, whose properties are the Fix.
    fileprivate func feature(from device: Name) -> [UInt8] {
        JSONWriter.object { json in
            json.key("type")
            json.string("Feature")
            json.key("geometry")
            json.object { json in
                json.key("type")
                json.string("Point")
                json.key("coordinates")
                json.position(coordinate, altitude: altitude)
            }
            json.key("properties")
            json.object { json in
                json.key("device")
                json.string(device.text)
                json.fixMembers(self)
            }
        }
    }
}
