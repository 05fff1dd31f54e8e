print("fake-gps")
