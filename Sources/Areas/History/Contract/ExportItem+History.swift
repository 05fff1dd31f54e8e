internal import JSON
public import Tracking

extension ExportItem {
    /// - Parameter source: its origin, as named by the person.
    public static func importedPosition(_ position: Fix, source: String) -> ExportItem {
        ExportItem("imported-position") { json in
            json.member("source", source)
            json.key("position")
            json.fix(position, asReceived: false)
        }
    }
}
