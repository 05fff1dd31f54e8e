internal import CMosquitto

/// libmosquitto's setup, once for the whole process, and never torn down.
enum Library {
    private static let started: Int32 = mosquitto_lib_init()
    static func start() { precondition(started == success, "libmosquitto does not start") }
}

let success = MOSQ_ERR_SUCCESS.rawValue

extension UInt32 {
    /// C enumerations are imported as unsigned; the library's functions take `int`.
    var signed: Int32 { Int32(bitPattern: self) }
}
