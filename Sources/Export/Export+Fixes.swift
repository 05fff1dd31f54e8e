internal import Contract
internal import Store
internal import Tracking

extension Export {
    /// `[{device,fixes:[Fix]}]`
    func writeFixesJSON(_ entry: inout Entry) throws(ExportError) {
        try entry.put("[")
        for (index, history) in person.histories.enumerated() {
            try entry.put(index == 0 ? "" : ",")
            try entry.put("\n{\"device\":\"\(history.name)\",\"fixes\":")
            var list = List()
            try eachFix(of: history) { fix throws(ExportError) in
                var json = JSONWriter()
                json.fix(fix)
                try list.add(json.bytes, to: &entry)
            }
            try list.end(&entry)
            try entry.put("}")
        }
        try entry.put("\n]\n")
    }

    /// A FeatureCollection (RFC 7946) with a Point for each fix.
    func writeFixesGeoJSON(_ entry: inout Entry) throws(ExportError) {
        try entry.put("{\"type\":\"FeatureCollection\",\"features\":")
        var list = List()
        for history in person.histories {
            try eachFix(of: history) { fix throws(ExportError) in
                try list.add(fix.feature(from: history.name), to: &entry)
            }
        }
        try list.end(&entry)
        try entry.put("}\n")
    }

    /// Writes one track per device.
    func writeFixesGPX(_ entry: inout Entry) throws(ExportError) {
        var gpx = GPXWriter()
        gpx.begin()
        for history in person.histories {
            gpx.beginTrack("\(person.user.displayName), \(history.name)")
            try eachFix(of: history) { fix throws(ExportError) in
                gpx.point(fix.coordinate, fix.takenAt, altitude: fix.altitude)
                try entry.put(gpx.takeBytes())
            }
            gpx.endTrack()
        }
        gpx.end()
        try entry.put(gpx.takeBytes())
    }

    private func eachFix(
        of history: Person.History, _ body: (Fix) throws(ExportError) -> Void
    ) throws(ExportError) {
        var fixes = FixHistory(history, reader)
        while let fix = try fixes.next() { try body(fix) }
    }
}

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
