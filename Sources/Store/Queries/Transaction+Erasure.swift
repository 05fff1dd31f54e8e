public import Tracking

extension Transaction {
    /// Removes a user who is in no group any more, with everything that is theirs.
    ///
    /// - Returns: how many fixes were removed.
    public func eraseUser(_ user: UserID, devices: [DeviceLog]) throws(StoreError) -> Int {
        let parameters = [SQLValue(user)]
        try noteAccessChange(of: user)
        for table in ["path_groups", "path_points", "paths", "trackers"] {
            try driver.execute("DELETE FROM \(table) WHERE user_id = ?", parameters)
        }
        try driver.execute("DELETE FROM acknowledgements WHERE user_id = ?", parameters)
        try driver.execute(
            """
            DELETE FROM acknowledgements WHERE alert_id IN
                (SELECT id FROM alerts WHERE user_id = ?)
            """, parameters)
        try driver.execute("DELETE FROM alerts WHERE user_id = ?", parameters)
        var fixes = 0
        for device in devices {
            fixes += try deleteFixes(of: device.device, last: device.last)
            try driver.execute("DELETE FROM replies WHERE device_id = ?", [SQLValue(device.device)])
        }
        try driver.execute("DELETE FROM devices WHERE user_id = ?", parameters)
        try driver.execute("DELETE FROM users WHERE id = ?", parameters)
        return fixes
    }
}
